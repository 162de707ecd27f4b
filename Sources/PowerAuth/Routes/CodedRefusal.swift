import Essentials
import HTTP
import PlatformKit

/// A refusal of an API for back ends, by a code out of that API's own list.
struct CodedRefusal<Code: RefusalCode>: PowerAuthRefusal, Equatable {
    let code: Code
    /// What the client hears.
    let message: String
    /// What the journal tells.
    let explanation: String
    /// Members of the request that are wrong.
    var violations: [Members.Fault] = []
    /// Further members of the response object.
    var members: [String: JSONValue] = [:]
    var status = Status.badRequest

    /// - Parameter explanation: the message as a whole sentence when left out; real servers forget full stops.
    init(_ code: Code, _ message: String, _ explanation: String? = nil) {
        (self.code, self.message) = (code, message)
        self.explanation = explanation ?? (message.hasSuffix(".") ? message : message + ".")
    }

    var wire: WireError {
        var wire = WireError(status, code.rawValue, message, members: members)
        if !violations.isEmpty { wire.members["violations"] = .array(violations.map(\.violation)) }
        return wire
    }
}

/// The codes of an API, as its documentation spells them.
protocol RefusalCode: RawRepresentable<String>, Sendable, Equatable {}
