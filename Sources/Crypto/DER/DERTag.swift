/// The tag of a DER element: class, form and number. Source: X.690 §8.1.2.
package struct DERTag: Sendable, Hashable, CustomStringConvertible {
    package enum Scope: UInt8, Sendable {
        case universal, application, context, personal
    }

    package let scope: Scope
    package let isConstructed: Bool
    package let number: Int

    package init(_ scope: Scope, _ number: Int, isConstructed: Bool = false) {
        (self.scope, self.number, self.isConstructed) = (scope, number, isConstructed)
    }

    /// `[number] EXPLICIT`, or IMPLICIT around something that has parts.
    package static func context(_ number: Int, isConstructed: Bool = true) -> DERTag {
        DERTag(.context, number, isConstructed: isConstructed)
    }

    package static let boolean = DERTag(.universal, 1)
    package static let integer = DERTag(.universal, 2)
    package static let bitString = DERTag(.universal, 3)
    package static let octetString = DERTag(.universal, 4)
    package static let objectIdentifier = DERTag(.universal, 6)
    package static let enumerated = DERTag(.universal, 10)
    package static let utf8String = DERTag(.universal, 12)
    package static let sequence = DERTag(.universal, 16, isConstructed: true)
    package static let set = DERTag(.universal, 17, isConstructed: true)
    package static let printableString = DERTag(.universal, 19)
    package static let utcTime = DERTag(.universal, 23)
    package static let generalizedTime = DERTag(.universal, 24)

    package var description: String {
        let name = scope == .universal ? "universal" : scope == .context ? "context" : "private"
        return "\(name) \(number)" + (isConstructed ? ", constructed" : "")
    }
}
