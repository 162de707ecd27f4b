import Essentials
import HTTP
import OpenID
import PlatformKit

// What a device sends; an empty text is as good as nothing.
extension Members {
    /// - Parameters:
    ///   - isOptional: whether an empty body counts as an object without members.
    ///   - refusing: what is wrong with the request, in a sentence, as the endpoint refuses it.
    convenience init(
        _ request: Request, isOptional: Bool = false,
        else refusing: @escaping @Sendable (String) -> any OAuthRefusal
    ) throws {
        try self.init(
            parsing: request.body, isOptional ? [.emptyIsNothing, .bodyIsOptional] : .emptyIsNothing
        ) {
            refusing($0[0].sentence)
        }
    }

    /// The members of a request of a device that is registered; a bad one is 400 `invalid_request` 10015.
    convenience init(ofDevice request: Request, isOptional: Bool = false) throws {
        try self.init(request, isOptional: isOptional) {
            DeviceCallRefusal.requestInvalid($0, sdkCode: 10015)
        }
    }

    /// A text that is not empty.
    func text(_ name: String) throws -> String { try text(name, 1...Int.max) }

    func optionalText(_ name: String) throws -> String? { try optionalText(name, 1...Int.max) }
}

// What the management APIs read; one answer tells everything that is wrong.
extension Members {
    static func management(_ values: [String: JSONValue]) -> Members {
        Members(values, .collecting) { AdministrationRefusal.invalid($0) }
    }

    /// - Throws: ``AdministrationRefusal/invalid(_:)`` for a body that is no JSON object.
    static func management(_ request: Request) throws -> Members {
        try Members(parsing: request.body, .collecting) { AdministrationRefusal.invalid($0) }
    }

    /// A text, which may be empty.
    func anyText(_ name: String) throws -> String? { try optionalText(name, 0...Int.max) }

    func texts(_ name: String, isRequired: Bool = false) throws -> [String]? {
        try read(name, "a list of texts", isRequired: isRequired) { $0.strings }
    }

    func integer(_ name: String, in range: ClosedRange<Int> = 0...Int(Int32.max)) throws -> Int? {
        try optionalInteger(name, range)
    }

    func choice(_ name: String, of choices: [String], isRequired: Bool = false) throws -> String? {
        try read(name, "one of " + choices.joined(separator: ", "), isRequired: isRequired) {
            $0.string.flatMap { choices.contains($0) ? $0 : nil }
        }
    }
}
