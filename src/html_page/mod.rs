//! Pages of HTML: one file each, without references to other files. One style sheet and one script serve all pages.
//! Without the script a page has everything but the buttons that save its charts.

#[cfg_attr(
    not(feature = "data"),
    allow(dead_code, unused_imports, reason = "only sweeps need error bars and heat maps")
)]
pub mod charts;

use crate::provenance::KEYWORD;
use maud::{DOCTYPE, Markup, PreEscaped, html};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// The text of a whole page. `more_style`: CSS rules for this page, added to the style sheet of all pages. `record`:
/// the provenance record of the page as JSON text, stored in `<meta name="murmuration">`.
pub fn html_page(title: &str, more_style: &str, record: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name=(KEYWORD) content=(record);
                title { (title) }
                style { (PreEscaped(STYLE)) (PreEscaped(more_style)) }
            }
            body { main { (body) } script { (PreEscaped(SCRIPT)) } }
        }
    };
    page.into_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_and_a_record_are_no_code() {
        let page = html_page("<b>", "", r#"{"preset":"<\"&"}"#, &html! { "x" });
        assert!(page.contains("<title>&lt;b&gt;</title>") && page.contains("<body><main>x</main><script>"), "{page}");
        let record = r#"<meta name="murmuration" content="{&quot;preset&quot;:&quot;&lt;\&quot;&amp;&quot;}">"#;
        assert!(page.contains(record), "{page}");
    }
}
