/// One attribute of a distinguished name. Source: RFC 5280 §4.1.2.4.
package struct NameAttribute: Sendable, Hashable {
    /// In dotted form, such as `2.5.4.3` for the common name.
    package let type: String
    package let value: String

    package init(_ type: String, _ value: String) {
        (self.type, self.value) = (type, value)
    }

    package static let country = "2.5.4.6"
    package static let organization = "2.5.4.10"
    package static let organizationalUnit = "2.5.4.11"
    package static let commonName = "2.5.4.3"
}

/// A name in an extension, of the kinds that the house reads. Source: RFC 5280 §4.2.1.6.
package enum GeneralName: Sendable, Hashable {
    case dns(String)
    case directory([NameAttribute])
    /// The number of the choice in the standard.
    case other(Int)
}
