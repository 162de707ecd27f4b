import Essentials

/// A JSON value in whose texts parameters are put in; without any it is kept as finished JSON text.
indirect enum TemplateValue: Sendable, Equatable {
    case constant(JSONValue)
    case text(TemplateText)
    case array([TemplateValue])
    case object([String: TemplateValue])

    init(_ value: JSONValue) {
        switch value {
        case .string(let text):
            let template = TemplateText(text)
            self = template.isConstant ? .constant(value) : .text(template)
        case .array(let elements):
            let templates = elements.map(TemplateValue.init)
            self = templates.allSatisfy(\.isConstant) ? .constant(value) : .array(templates)
        case .object(let members):
            let templates = members.mapValues(TemplateValue.init)
            self = templates.values.allSatisfy(\.isConstant) ? .constant(value) : .object(templates)
        default: self = .constant(value)
        }
    }

    func filled(with parameters: [String: String]) -> JSONValue {
        switch self {
        case .constant(let value): value
        case .text(let text): .string(text.filled(with: parameters))
        case .array(let elements): .array(elements.map { $0.filled(with: parameters) })
        case .object(let members): .object(members.mapValues { $0.filled(with: parameters) })
        }
    }

    private var isConstant: Bool { if case .constant = self { true } else { false } }
}

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
