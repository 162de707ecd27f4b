import Essentials

/// An object of a template; where it takes no parameters, it is JSON text from the start.
struct TemplateJSON: Sendable {
    private let value: TemplateValue
    private let constant: [UInt8]?

    /// Nil for an object without members.
    init?(_ members: [String: JSONValue]) {
        if members.isEmpty { return nil }
        value = TemplateValue(.object(members))
        constant = if case .constant(let value) = value { value.bytes } else { nil }
    }

    func bytes(with parameters: [String: String]) -> [UInt8] {
        constant ?? value.filled(with: parameters).bytes
    }
}
