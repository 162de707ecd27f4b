/// A key of a map and its value.
package struct CBOREntry: Sendable, Equatable {
    package let key: CBOR
    package let value: CBOR

    package init(_ key: CBOR, _ value: CBOR) {
        (self.key, self.value) = (key, value)
    }
}
