/// Names of worlds, and of what is named like them: snapshots, faults.
package enum WorldName {
    /// The world of addresses that name none.
    package static let standard = "default"

    /// Whether `name` can be one: 1 to 40 of the characters a-z, 0-9 and `-`.
    package static func isOne(_ name: String) -> Bool {
        1...40 ~= name.utf8.count
            && name.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-") }
    }
}
