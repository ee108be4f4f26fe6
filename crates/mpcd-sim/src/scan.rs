//! The outline of a RON text: where containers, keys and items stand, without reading what they mean.
//! Used to splice `--set` values and to give parts of the model their place. No values are interpreted here.

use std::ops::Range;

/// One item of a container.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Item {
    /// Bytes of the key, without quotes; `None` in a list or tuple.
    pub(crate) key: Option<Range<usize>>,
    /// Bytes of the value, without blanks and comments around it.
    pub(crate) value: Range<usize>,
}

/// A container and its items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Container {
    /// What encloses the items.
    pub(crate) kind: Kind,
    /// Byte just after the opening bracket.
    pub(crate) start: usize,
    /// The items in order.
    pub(crate) items: Vec<Item>,
}

/// Kinds of value, by their brackets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `(key: value, …)`, with or without a name before it; also `()`.
    Struct,
    /// `{"key": value, …}`.
    Map,
    /// `[…]` or an unnamed tuple.
    List,
    /// A bare name, which reads as a struct without keys.
    BareName,
    /// A number, a text, a character.
    Leaf,
}

/// Outline of the value at `range` of `text`; the text after its end is ignored.
///
/// Damaged text (an open string, a missing bracket) ends the outline early; the RON reader reports it.
pub(crate) fn container(text: &str, range: Range<usize>) -> Container {
    let mut at = skip_blank(text, range.start);
    let name = identifier_end(text, at);
    let named = name > at;
    let open = skip_blank(text, name);
    let leaf = |kind| Container { kind, start: name, items: Vec::new() };
    if open >= range.end {
        return leaf(if named { Kind::BareName } else { Kind::Leaf });
    }
    let closing = match text.as_bytes()[open] {
        b'(' => b')',
        b'[' if !named => b']',
        b'{' if !named => b'}',
        _ => return leaf(if named { Kind::BareName } else { Kind::Leaf }),
    };
    let start = open + 1;
    let mut items = Vec::new();
    at = skip_blank(text, start);
    while at < range.end && text.as_bytes()[at] != closing {
        let Some((item, next)) = item(text, at, closing, range.end) else { break };
        items.push(item);
        at = skip_blank(text, next);
        if at < range.end && text.as_bytes()[at] == b',' {
            at = skip_blank(text, at + 1);
        }
    }
    let kind = match closing {
        b')' if items.first().is_none_or(|i| i.key.is_some()) => Kind::Struct,
        b'}' => Kind::Map,
        _ => Kind::List,
    };
    Container { kind, start, items }
}

/// The item that starts at `at`, and where it ends.
fn item(text: &str, at: usize, closing: u8, end: usize) -> Option<(Item, usize)> {
    let first = value_end(text, at, end);
    if first == at {
        return None;
    }
    let colon = skip_blank(text, first);
    let keyed = closing != b']' && colon < end && text.as_bytes()[colon] == b':';
    if !keyed {
        return Some((Item { key: None, value: at..first }, first));
    }
    let start = skip_blank(text, colon + 1);
    let stop = value_end(text, start, end);
    let quoted = usize::from(text[at..first].starts_with('"') && first - at >= 2);
    Some((Item { key: Some(at + quoted..first - quoted), value: start..stop }, stop))
}

/// End of the value that starts at `at`: the next `,`, `:` or closing bracket outside strings, comments and brackets.
/// Trailing blanks and comments do not count.
fn value_end(text: &str, at: usize, end: usize) -> usize {
    let bytes = text.as_bytes();
    let (mut i, mut depth, mut last) = (at, 0_usize, at);
    while i < end {
        let blank = skip_blank(text, i);
        if blank > i {
            i = blank;
            continue;
        }
        match bytes[i] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' if depth == 0 => break,
            b')' | b']' | b'}' => depth -= 1,
            b',' | b':' if depth == 0 => break,
            _ => {}
        }
        i = token_end(text, i);
        last = i;
    }
    last.min(end)
}

/// End of the string, character or single byte at `at`.
fn token_end(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let rest = &text[at..];
    let next = at + rest.chars().next().map_or(1, char::len_utf8);
    match bytes[at] {
        b'"' => quoted_end(bytes, at + 1, b'"'),
        b'\'' => quoted_end(bytes, at + 1, b'\''),
        b'r' if !preceded_by_word(text, at) => raw_string_end(text, at).unwrap_or(next),
        _ => next,
    }
}

fn preceded_by_word(text: &str, at: usize) -> bool {
    text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_')
}

fn quoted_end(bytes: &[u8], mut i: usize, quote: u8) -> usize {
    while i < bytes.len() {
        match bytes[i] {
            b'\\' => i += 2,
            b if b == quote => return i + 1,
            _ => i += 1,
        }
    }
    bytes.len()
}

/// End of `r"…"` or `r#"…"#` at `at`, `None` if it is no raw string.
fn raw_string_end(text: &str, at: usize) -> Option<usize> {
    let hashes = text[at + 1..].bytes().take_while(|b| *b == b'#').count();
    let open = at + 1 + hashes;
    if text.as_bytes().get(open) != Some(&b'"') {
        return None;
    }
    let close = format!("\"{}", "#".repeat(hashes));
    Some(text[open + 1..].find(&close).map_or(text.len(), |i| open + 1 + i + close.len()))
}

fn identifier_end(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    if !rest.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return at;
    }
    at + rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len())
}

/// First byte from `at` on that is neither blank nor comment nor an attribute (`#![…]`).
pub(crate) fn skip_blank(text: &str, at: usize) -> usize {
    let mut rest = text.get(at..).unwrap_or("");
    loop {
        let trimmed = rest.trim_start();
        rest = if let Some(comment) = trimmed.strip_prefix("//") {
            comment.find('\n').map_or("", |i| &comment[i..])
        } else if trimmed.starts_with("/*") {
            &trimmed[block_comment_end(trimmed)..]
        } else if trimmed.starts_with("#!") {
            trimmed.find(']').map_or("", |i| &trimmed[i + 1..])
        } else {
            return text.len() - trimmed.len();
        };
    }
}

/// Block comments nest.
fn block_comment_end(text: &str) -> usize {
    let (mut i, mut depth) = (0, 0_usize);
    let bytes = text.as_bytes();
    while i < bytes.len() {
        match (bytes[i], bytes.get(i + 1)) {
            (b'/', Some(b'*')) => {
                depth += 1;
                i += 2;
            }
            (b'*', Some(b'/')) => {
                depth -= 1;
                i += 2;
                if depth == 0 {
                    return i;
                }
            }
            _ => i += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(text: &str) -> (Kind, Vec<(Option<&str>, &str)>) {
        let c = container(text, 0..text.len());
        (c.kind, c.items.iter().map(|i| (i.key.clone().map(|k| &text[k]), &text[i.value.clone()])).collect())
    }

    #[test]
    fn structs_maps_lists_and_leaves() {
        assert_eq!(outline("Disc(radius: 1, at: (2, 3),)"), (Kind::Struct, vec![(Some("radius"), "1"), (Some("at"), "(2, 3)")]));
        assert_eq!(outline("{\"a b\": (x: 1), \"c\": 2}"), (Kind::Map, vec![(Some("a b"), "(x: 1)"), (Some("c"), "2")]));
        assert_eq!(outline("[1, A(b: 2), \"x,y\"]"), (Kind::List, vec![(None, "1"), (None, "A(b: 2)"), (None, "\"x,y\"")]));
        assert_eq!(outline("(1, 2)"), (Kind::List, vec![(None, "1"), (None, "2")]));
        assert_eq!(outline("Contact"), (Kind::BareName, vec![]));
        assert_eq!(outline("-1.5"), (Kind::Leaf, vec![]));
        assert_eq!(outline("()"), (Kind::Struct, vec![]));
    }

    #[test]
    fn strings_and_comments_hide_brackets() {
        let text = "#![enable(implicit_some)]\n// (a: 9)\n( /* b: [ /* nested ) */ */ a: \"(\\\",\" , // c: 3\n r: r#\"x\")\"#, d: '}', w_r: 4 )";
        let (kind, items) = outline(text);
        assert_eq!(kind, Kind::Struct);
        assert_eq!(items, vec![(Some("a"), "\"(\\\",\""), (Some("r"), "r#\"x\")\"#"), (Some("d"), "'}'"), (Some("w_r"), "4")]);
    }

    #[test]
    fn damaged_text_ends_early() {
        for text in ["(a: \"x", "(a: (1", "[", "(a:", "", "(,", "{:", "/* open", "(a: 1 b: 2)", "é(", "r#\"", "'"] {
            let _ = container(text, 0..text.len());
        }
    }
}
