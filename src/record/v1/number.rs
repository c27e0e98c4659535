//! Numbers as the record writes them: exact in every reader, and bounded when they are read.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The largest whole number that every JSON reader keeps exact.
const EXACT: u128 = 1 << 53;

/// A number that may be beyond what JSON readers keep exact: from there on it is a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wide(pub(super) u128);

impl From<u64> for Wide {
    fn from(number: u64) -> Self {
        Self(number.into())
    }
}

impl Wide {
    /// As 64 bits; what does not fit is as much as fits.
    pub(super) fn narrow(self) -> u64 {
        u64::try_from(self.0).unwrap_or(u64::MAX)
    }
}

impl Serialize for Wide {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match u64::try_from(self.0) {
            Ok(number) if self.0 <= EXACT => serializer.serialize_u64(number),
            _ => serializer.collect_str(&self.0),
        }
    }
}

impl<'de> Deserialize<'de> for Wide {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Either {
            Number(u64),
            Text(String),
        }
        match Either::deserialize(deserializer)? {
            Either::Number(number) => Ok(number.into()),
            Either::Text(text) => text.parse().map(Self).map_err(serde::de::Error::custom),
        }
    }
}

/// A count of things. Counts are added up, over at most a hundred lines in four kinds each; a
/// file from a stranger must not make the sum overflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "u64", try_from = "u64")]
pub(super) struct Count(pub(super) u64);

/// Four hundred of these still fit 64 bits; no point counts as far.
const MOST: u64 = 1 << 55;

impl From<Count> for u64 {
    fn from(count: Count) -> Self {
        count.0
    }
}

impl TryFrom<u64> for Count {
    type Error = String;

    fn try_from(number: u64) -> Result<Self, String> {
        match number {
            ..=MOST => Ok(Self(number)),
            _ => Err(format!("{number} is more than anything is counted to")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_numbers_become_strings() {
        for (number, text) in [
            (7, "7"),
            (1 << 53, "9007199254740992"),
            ((1 << 53) + 1, "\"9007199254740993\""),
            (u128::MAX, "\"340282366920938463463374607431768211455\""),
        ] {
            assert_eq!(serde_json::to_string(&Wide(number)).unwrap(), text);
            assert_eq!(serde_json::from_str::<Wide>(text).unwrap(), Wide(number));
        }
        assert!(serde_json::from_str::<Wide>("\"-1\"").is_err());
    }

    #[test]
    fn counts_are_bounded() {
        assert!(serde_json::from_str::<Count>("36028797018963968").is_ok());
        assert!(serde_json::from_str::<Count>("36028797018963969").is_err());
    }
}
