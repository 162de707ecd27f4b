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

    /// A text that is not empty.
    func text(_ name: String) throws -> String { try text(name, 1...Int.max) }

    func optionalText(_ name: String) throws -> String? { try optionalText(name, 1...Int.max) }
}

extension Onegini {
    /// The members of a request of a device that is registered; a bad one is 400 `invalid_request` 10015.
    func members(_ request: Request, isOptional: Bool = false) throws -> Members {
        try Members(request, isOptional: isOptional) { DeviceCallRefusal.requestInvalid($0, sdkCode: 10015) }
    }
}
