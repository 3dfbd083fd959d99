//! Seedproof: a run as text, HTML, JSON, JUnit and Markdown.
#![forbid(unsafe_code)]
