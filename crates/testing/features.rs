//! No code: the manifest enables features of dependencies that several packages share.
