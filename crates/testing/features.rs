//! This package has no code. Its manifest enables features of dependencies that the tests of several packages share.
