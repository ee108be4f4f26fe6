//! One digest for everything that must be the same when a run is resumed. Tells apart, does not protect.

/// 128-bit FNV-1a of the parts, each with its length (<http://www.isthe.com/chongo/tech/comp/fnv/>), in hexadecimal.
pub(crate) fn digest<'a>(parts: impl Iterator<Item = &'a [u8]>) -> String {
    format!("{:032x}", parts.fold(OFFSET, |hash, part| fnv(fnv(hash, &(part.len() as u64).to_le_bytes()), part)))
}

/// A digest that grows with what is written: of all bytes, then of their number.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Running {
    hash: u128,
    length: u64,
}

impl Default for Running {
    fn default() -> Self {
        Self { hash: OFFSET, length: 0 }
    }
}

impl Running {
    /// Of these bytes alone.
    pub(crate) fn of(bytes: &[u8]) -> String {
        let mut running = Self::default();
        running.add(bytes);
        running.finish()
    }

    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.hash = fnv(self.hash, bytes);
        self.length += bytes.len() as u64;
    }

    /// In hexadecimal.
    pub(crate) fn finish(self) -> String {
        format!("{:032x}", fnv(self.hash, &self.length.to_le_bytes()))
    }
}

const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

fn fnv(hash: u128, bytes: &[u8]) -> u128 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u128::from(*byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_values() {
        assert_eq!(format!("{:032x}", fnv(OFFSET, b"")), "6c62272e07bb014262b821756295c58d");
        assert_eq!(format!("{:032x}", fnv(OFFSET, b"a")), "d228cb696f1a8caf78912b704e4a8964");
        assert_ne!(digest([b"ab".as_slice(), b"c"].into_iter()), digest([b"a".as_slice(), b"bc"].into_iter()));
        let mut parts = Running::default();
        [b"ab".as_slice(), b"c"].iter().for_each(|part| parts.add(part));
        assert_eq!(parts.finish(), Running::of(b"abc"));
        assert_ne!(Running::of(b""), Running::of(&0_u64.to_le_bytes()));
    }
}
