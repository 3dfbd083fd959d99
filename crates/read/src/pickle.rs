//! The few opcodes of Python's pickles in which PyTorch writes the type, shape and storage of a tensor.
//!
//! Nothing is executed: a name stays a name, and a call is kept as the name with its arguments.

use std::collections::HashMap;

/// The most opcodes and values of a pickle that are read: those of a state of some ten thousand tensors.
const MAX_READ_VALUES: usize = 1 << 20;

/// The most values within each other: a state of tensors has about ten. Values are walked and freed recursively, so a deeper
/// one would overflow the stack.
const DEEPEST: u32 = 64;

/// A value that a pickle builds.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Number(i64),
    Text(String),
    /// A tuple, a list, or the keys and values of a dictionary.
    List(Vec<Value>),
    /// `module name`.
    Name(String),
    /// What a persistent id refers to.
    Persistent(Box<Value>),
    /// A call that is not made: a name and its arguments.
    Call(String, Vec<Value>),
    Other,
}

/// Whether a file begins and ends as a pickle of a protocol since 2 does.
pub(super) fn is(file: &[u8]) -> bool {
    matches!(file, [0x80, 2..=5, .., b'.']) && file.len() > 3
}

struct Machine<'a> {
    rest: &'a [u8],
    /// Values with the levels that each has.
    stack: Vec<(u32, Value)>,
    marks: Vec<usize>,
    memo: HashMap<u32, (u32, Value)>,
    /// The most levels of a value that was popped since the last push, whose result contains it.
    popped: u32,
    /// What is left of [`MAX_READ_VALUES`]: a memo that is fetched again and again would make a small pickle a large value.
    left: usize,
}

/// The value that a pickle builds; `None` if it is broken, too large, or needs an opcode that tensors do not.
pub(super) fn read(pickle: &[u8]) -> Option<Value> {
    let mut machine = Machine {
        rest: pickle,
        stack: Vec::new(),
        marks: Vec::new(),
        memo: HashMap::new(),
        popped: 0,
        left: MAX_READ_VALUES,
    };
    while machine.step()? {}
    machine.pop()
}

/// An integer of two's complement. No tensor needs one of more than 64 bits, which a seed beside it may have.
fn long(bytes: &[u8]) -> Value {
    let is_negative = bytes.last().is_some_and(|&byte| byte >= 0x80);
    let mut wide = [if is_negative { 0xff } else { 0 }; 8];
    match wide.get_mut(..bytes.len()) {
        Some(low) => {
            low.copy_from_slice(bytes);
            Value::Number(i64::from_le_bytes(wide))
        }
        None => Value::Other,
    }
}

/// Number of values within a value.
fn size(value: &Value) -> usize {
    1 + match value {
        Value::List(values) | Value::Call(_, values) => values.iter().map(size).sum(),
        Value::Persistent(value) => size(value),
        _ => 0,
    }
}

impl<'a> Machine<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }

    fn number(&mut self, bytes: usize) -> Option<u64> {
        let bytes = self.take(bytes)?;
        Some(
            bytes
                .iter()
                .rev()
                .fold(0, |number, &byte| number << 8 | u64::from(byte)),
        )
    }

    fn line(&mut self) -> Option<String> {
        let end = self.rest.iter().position(|&byte| byte == b'\n')?;
        let line = String::from_utf8_lossy(self.take(end)?).into_owned();
        self.take(1)?;
        Some(line)
    }

    fn text(&mut self, width: usize) -> Option<Value> {
        let length = usize::try_from(self.number(width)?).ok()?;
        Some(Value::Text(
            String::from_utf8_lossy(self.take(length)?).into_owned(),
        ))
    }

    fn pop(&mut self) -> Option<Value> {
        let (levels, value) = self.stack.pop()?;
        self.popped = self.popped.max(levels);
        Some(value)
    }

    fn push(&mut self, value: Value) -> Option<()> {
        let levels = std::mem::take(&mut self.popped) + 1;
        self.stack.push((levels, value));
        (levels <= DEEPEST).then_some(())
    }

    /// The values from this place in the stack on.
    fn from(&mut self, place: usize) -> Vec<Value> {
        let taken = self.stack.split_off(place);
        let levels = taken.iter().map(|(levels, _)| *levels).max();
        self.popped = self.popped.max(levels.unwrap_or(0));
        taken.into_iter().map(|(_, value)| value).collect()
    }

    fn last(&mut self, count: usize) -> Option<Value> {
        let place = self.stack.len().checked_sub(count)?;
        Some(Value::List(self.from(place)))
    }

    /// The values since the last mark.
    fn marked(&mut self) -> Option<Vec<Value>> {
        let mark = self.marks.pop()?;
        (mark <= self.stack.len()).then(|| self.from(mark))
    }

    fn append(&mut self, values: Vec<Value>) -> Option<()> {
        let inner = std::mem::take(&mut self.popped);
        let (levels, value) = self.stack.last_mut()?;
        *levels = (*levels).max(inner + 1);
        // An ordered dictionary, as a model's state is, is called before it is filled.
        if let Value::List(list) | Value::Call(_, list) = value {
            list.extend(values);
        }
        (*levels <= DEEPEST).then_some(())
    }

    fn put(&mut self, at: u64) -> Option<()> {
        let made = self.stack.last()?.clone();
        self.spend(size(&made.1))?;
        self.memo.insert(u32::try_from(at).ok()?, made);
        Some(())
    }

    fn get(&mut self, at: u64) -> Option<Value> {
        let (levels, value) = self.memo.get(&u32::try_from(at).ok()?)?.clone();
        self.spend(size(&value))?;
        self.popped = levels - 1;
        Some(value)
    }

    fn spend(&mut self, values: usize) -> Option<()> {
        self.left = self.left.checked_sub(values)?;
        Some(())
    }

    /// Runs one opcode; `Some(false)` for the last one.
    fn step(&mut self) -> Option<bool> {
        self.spend(1)?;
        let value = match self.number(1)? {
            // PROTO, FRAME
            0x80 => return self.take(1).map(|_| true),
            0x95 => return self.take(8).map(|_| true),
            // STOP
            0x2e => return Some(false),
            // MARK
            0x28 => {
                self.marks.push(self.stack.len());
                return Some(true);
            }
            // BININT, BININT1, BININT2, LONG1
            0x4a => Value::Number(i64::from(i32::from_le_bytes(*self.take(4)?.first_chunk()?))),
            0x4b => Value::Number(self.number(1)?.try_into().ok()?),
            0x4d => Value::Number(self.number(2)?.try_into().ok()?),
            0x8a => {
                let length = usize::try_from(self.number(1)?).ok()?;
                long(self.take(length)?)
            }
            // BINUNICODE, SHORT_BINUNICODE
            0x58 => self.text(4)?,
            0x8c => self.text(1)?,
            // NONE, NEWTRUE, NEWFALSE, BINFLOAT
            0x4e | 0x88 | 0x89 => Value::Other,
            0x47 => self.take(8).map(|_| Value::Other)?,
            // EMPTY_TUPLE, EMPTY_LIST, EMPTY_DICT
            0x29 | 0x5d | 0x7d => Value::List(Vec::new()),
            // TUPLE, TUPLE1, TUPLE2, TUPLE3
            0x74 => Value::List(self.marked()?),
            0x85 => self.last(1)?,
            0x86 => self.last(2)?,
            0x87 => self.last(3)?,
            // APPEND, APPENDS, SETITEM, SETITEMS
            0x61 => {
                let value = self.pop()?;
                return self.append(vec![value]).map(|()| true);
            }
            0x65 | 0x75 => {
                let values = self.marked()?;
                return self.append(values).map(|()| true);
            }
            0x73 => {
                let Value::List(pair) = self.last(2)? else {
                    return None;
                };
                return self.append(pair).map(|()| true);
            }
            // GLOBAL, STACK_GLOBAL
            0x63 => Value::Name(format!("{} {}", self.line()?, self.line()?)),
            0x93 => {
                let (name, module) = (self.pop()?, self.pop()?);
                let (Value::Text(name), Value::Text(module)) = (name, module) else {
                    return None;
                };
                Value::Name(format!("{module} {name}"))
            }
            // REDUCE
            0x52 => {
                let (arguments, callee) = (self.pop()?, self.pop()?);
                match (callee, arguments) {
                    (Value::Name(name), Value::List(arguments)) => Value::Call(name, arguments),
                    _ => Value::Other,
                }
            }
            // BUILD sets attributes, which no tensor needs.
            0x62 => {
                self.stack.pop()?;
                return Some(true);
            }
            // BINPERSID
            0x51 => Value::Persistent(Box::new(self.pop()?)),
            // BINPUT, LONG_BINPUT, MEMOIZE
            0x71 => {
                let at = self.number(1)?;
                return self.put(at).map(|()| true);
            }
            0x72 => {
                let at = self.number(4)?;
                return self.put(at).map(|()| true);
            }
            0x94 => {
                let at = u64::try_from(self.memo.len()).ok()?;
                return self.put(at).map(|()| true);
            }
            // BINGET, LONG_BINGET
            0x68 => {
                let at = self.number(1)?;
                self.get(at)?
            }
            0x6a => {
                let at = self.number(4)?;
                self.get(at)?
            }
            _ => return None,
        };
        self.push(value).map(|()| true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_of_any_length_stand_beside_tensors() {
        for (bytes, value) in [
            (&b""[..], Some(0)),
            (b"\x05", Some(5)),
            (b"\xff", Some(-1)),
            (b"\0\0\0\0\0\xff", Some(-(1 << 40))),
            (b"\0\0\0\0\0\0\0\x80", Some(i64::MIN)),
            (b"\0\0\0\0\0\0\0\x80\0", None),
        ] {
            let number = match long(bytes) {
                Value::Number(number) => Some(number),
                _ => None,
            };
            assert_eq!(number, value, "{bytes:?}");
        }
    }

    #[test]
    fn pickle_of_values_within_values_has_a_bound() {
        let tuples =
            |count: usize| read(&[b"\x80\x02K\x01".to_vec(), vec![0x85; count], b".".to_vec()].concat());
        assert!(tuples(60).is_some());
        assert_eq!(tuples(1 << 19), None);
        // A list that is filled with itself, by way of the memo.
        let grown = |count: usize| {
            read(&[b"\x80\x02]q\0".to_vec(), b"]h\0aq\0".repeat(count), b".".to_vec()].concat())
        };
        assert!(grown(9).is_some());
        assert_eq!(grown(100), None);
    }

    /// `{"a": 7}` as a dictionary and as an ordered one, which is called before it is filled.
    #[test]
    fn pickle_keeps_what_a_dictionary_is_filled_with() {
        let filled = |made: &[u8]| {
            let items = b"(X\x01\0\0\0aK\x07u.";
            read(&[b"\x80\x02", made, items].concat())
        };
        let items = vec![Value::Text("a".to_owned()), Value::Number(7)];
        assert_eq!(filled(b"}"), Some(Value::List(items.clone())));
        let ordered = "collections OrderedDict".to_owned();
        assert_eq!(
            filled(b"ccollections\nOrderedDict\n)R"),
            Some(Value::Call(ordered, items))
        );
    }

    /// Three bytes are elements, even if they begin and end as a pickle does.
    #[test]
    fn the_shortest_pickle_has_four_bytes() {
        assert!(is(b"\x80\x02N."));
        assert!(!is(b"\x80\x02."));
    }

    /// Without a bound, some kilobytes would take gigabytes.
    #[test]
    fn pickle_that_fetches_a_large_value_again_and_again_has_a_bound() {
        // A persistent id of a thousand numbers, which is fetched and dropped.
        let fetched = |count: usize| {
            let made = [&b"\x80\x02]("[..], &b"K\x01".repeat(1000), b"eQq\0"].concat();
            read(&[made, b"h\0b".repeat(count), b".".to_vec()].concat())
        };
        assert!(fetched(10).is_some());
        assert_eq!(fetched(1100), None);
    }

    /// However often a state names its types by way of the memo, they are no values within each other.
    #[test]
    fn pickle_fetches_values_as_they_were_put() {
        let copied = [b"\x80\x02K\x07q\0".to_vec(), b"h\0q\0".repeat(100), b".".to_vec()].concat();
        assert_eq!(read(&copied), Some(Value::Number(7)));
        // Places beyond 255 take four bytes.
        assert_eq!(
            read(b"\x80\x02K\x07r\0\x01\0\0j\0\x01\0\0\x86."),
            Some(Value::List(vec![Value::Number(7), Value::Number(7)]))
        );
    }
}
