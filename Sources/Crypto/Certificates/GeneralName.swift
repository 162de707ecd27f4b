/// A name in an extension, of the kinds that the house reads. Source: RFC 5280 §4.2.1.6.
package enum GeneralName: Sendable, Hashable {
    case dns(String)
    case directory([NameAttribute])
    /// The number of the choice in the standard.
    case other(Int)
}
