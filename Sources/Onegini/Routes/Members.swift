import Essentials
import HTTP
import OpenID

/// The members of a JSON object that a device sent; those that nobody asks for are ignored.
struct Members: Sendable {
    /// What is wrong with the request, in a sentence, as the endpoint refuses it.
    typealias Refusing = @Sendable (String) -> any OAuthRefusal

    let values: [String: JSONValue]
    private let refusing: Refusing

    /// - Parameter isOptional: whether an empty body counts as an object without members.
    init(_ request: Request, isOptional: Bool = false, else refusing: @escaping Refusing) throws {
        self.refusing = refusing
        if isOptional, request.body.isEmpty {
            values = [:]
            return
        }
        do {
            let value = try JSONValue(parsing: request.body)
            guard let object = value.object else {
                throw refusing("Expected a JSON object as the body, found another value.")
            }
            values = object
        } catch let error as DecodingError {
            throw refusing("The body is not the expected JSON: \(error.sentence).")
        }
    }

    /// A string that is not empty.
    func text(_ name: String) throws -> String {
        guard let text = try optionalText(name) else {
            throw refusing("The body lacks the member \"\(name)\".")
        }
        return text
    }

    /// Nil when it is missing, null or empty.
    func optionalText(_ name: String) throws -> String? {
        guard let value = values[name], !value.isNull else { return nil }
        guard let text = value.string else {
            throw refusing("The member \"\(name)\" must be a string, found \(value.text.prefix(40)).")
        }
        return text.isEmpty ? nil : text
    }
}

extension Onegini {
    /// The members of a request of a device that is registered; a bad one is 400 `invalid_request` 10015.
    func members(_ request: Request, isOptional: Bool = false) throws -> Members {
        try Members(request, isOptional: isOptional) { DeviceError.requestInvalid($0, sdkCode: 10015) }
    }
}
