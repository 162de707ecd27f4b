import Essentials
import HTTP
import PlatformKit

/// A refusal of the push server: always 400.
///
/// Source: published behaviour of the PowerAuth Push Server 1.10, which answers 500 where a body is no JSON or a member of another kind.
typealias PushServerRefusal = CodedRefusal<PushServerCode>

enum PushServerCode: String, RefusalCode, CaseIterable {
    case generic = "ERROR_GENERIC"
    case request = "ERROR_REQUEST"
    case applicationUnknown = "ERROR_APP_NOT_FOUND"
    case messageUnknown = "ERROR_MESSAGE_NOT_FOUND"
}

extension PushServerRefusal {
    /// - Parameter faults: at least one.
    static func violated(_ faults: [Members.Fault]) -> Self {
        var refusal = Self(
            .request, "Invalid method parameter value", faults.map(\.sentence).joined(separator: " "))
        refusal.violations = faults
        return refusal
    }

    /// Of the calls for devices and pushes.
    static func applicationMissing(_ id: String) -> Self {
        Self(
            .generic, "Application with given ID does not exist",
            "There is no application “\(id.prefix(60))”.")
    }

    /// Of the calls for the inbox.
    static func applicationUnknown(_ id: String, _ message: String) -> Self {
        Self(.applicationUnknown, message, "There is no application “\(id.prefix(60))”.")
    }
}

// What an enrollment server asks the push server.
extension PowerAuth {
    /// The members of a body; of a call for devices and pushes a missing one has a sentence of its own.
    ///
    /// - Parameter isWrapped: whether they stand in `requestObject`.
    func pushServerInput(_ request: Request, isWrapped: Bool = true) throws -> Members {
        let object: [String: JSONValue]
        do {
            object = try (isWrapped ? Members.API.management : .cloud).object(of: request)
        } catch let refusal as any PowerAuthRefusal {
            throw PushServerRefusal(.generic, refusal.explanation)
        }
        return Members(object, .collecting) { PushServerRefusal.violated($0) }
    }

    func pushServerQuery(_ request: Request, _ name: String) throws -> String {
        guard let value = Form(request.query ?? "")[name], 1...255 ~= value.count else {
            throw PushServerRefusal(
                .generic,
                "Required request parameter '\(name)' for method parameter type String is not present",
                "The query lacks “\(name)”, a text of 1 to 255 characters.")
        }
        return value
    }
}

extension Members {
    /// A text without which the push server has a sentence of its own.
    func text(_ name: String, orSay sentence: String, _ lengths: ClosedRange<Int> = 1...4096) throws -> String
    {
        guard let value = self[name], value != "" else { throw PushServerRefusal(.generic, sentence) }
        let text = try text(name, lengths)
        try check()
        return text
    }
}
