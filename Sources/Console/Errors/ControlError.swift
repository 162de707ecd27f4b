import Essentials
import HTTP
import PlatformKit
import WebAuthn

/// Every refusal of the control API. Names say what went wrong; ``Console/response(for:)`` says how the client hears it.
enum ControlError: Error {
    /// A parameter of the query, the path or the body is not what it must be.
    case parameter(String, expected: String, given: String)
    case parameterUnknown(String, known: [String])
    case parameterRepeated(String)
    case bodyMalformed(String)
    case memberUnknown(String, known: [String])
    /// With the content type that came.
    case notJSON(String?)
    case crossSite(String)
    case tokenMissing
    case tokenWrong
    /// What was asked for is not there: a sentence.
    case absent(String)
    /// A platform does not do what was asked of it: its own sentence.
    case refused(String)
    /// What came is well formed and still not what it must be: a sentence.
    case unprocessable(String)
    /// What a browser would say, and what may help.
    case ceremonyRefused(SoftwareAuthenticatorError, hint: String)
    case notReady
    case short(WorkMemory.Shortage)
    /// The place where worlds are kept does not do: a sentence.
    case storage(String)
    case callUnknown(RouteUnknown)

    var status: Status {
        switch self {
        case .parameter, .parameterUnknown, .parameterRepeated, .bodyMalformed, .memberUnknown: .badRequest
        case .notJSON: .unsupportedMediaType
        case .crossSite: .forbidden
        case .tokenMissing, .tokenWrong: .unauthorized
        case .absent: .notFound
        case .refused: .conflict
        case .unprocessable: .unprocessableContent
        case .ceremonyRefused(let error, _):
            switch error.name {
            case .type, .syntax: .badRequest
            case .invalidState: .conflict
            case .security, .notSupported, .notAllowed: .unprocessableContent
            }
        case .notReady, .storage, .short(.now): .serviceUnavailable
        case .short(.ever): .insufficientStorage
        case .callUnknown(let unknown): unknown.status
        }
    }

    /// Instead of the status' own words: the name of the `DOMException` with which a browser would reject.
    var title: String? {
        if case .ceremonyRefused(let error, _) = self { error.name.rawValue } else { nil }
    }

    /// A sentence for the developer.
    var detail: String {
        switch self {
        case .parameter(let name, let expected, let given):
            "The value of “\(name)” must be \(expected), but is \(given.shortened)."
        case .parameterUnknown(let name, let known):
            "There is no parameter “\(name.shortened)” here; "
                + (known.isEmpty
                    ? "this call takes none." : "this call takes " + known.joined(separator: ", ") + ".")
        case .parameterRepeated(let name): "The parameter “\(name)” is given twice."
        case .bodyMalformed(let reason): reason
        case .memberUnknown(let name, let known):
            "There is no member “\(name.shortened)” here, only " + known.joined(separator: ", ") + "."
        case .notJSON(let given):
            "The body must be JSON, with the header “Content-Type: application/json”; "
                + (given.map { "it came as “\($0.shortened)”." } ?? "it came without a content type.")
        case .crossSite(let reason): reason
        case .tokenMissing:
            "This call needs the control token: send “Authorization: Bearer TOKEN” with the token that the program was "
                + "started with (--control-token), or open the console once with ?token=TOKEN."
        case .tokenWrong: "The token is not the one that the program was started with (--control-token)."
        case .absent(let sentence), .refused(let sentence), .unprocessable(let sentence),
            .storage(let sentence):
            sentence
        case .short(let shortage): shortage.explanation
        case .ceremonyRefused(let error, let hint):
            error.sentence.prefix(1).uppercased() + error.sentence.dropFirst() + ". " + hint
        case .notReady: "The program has not finished starting."
        case .callUnknown(let unknown): Self.sentence(unknown)
        }
    }

    private static func sentence(_ unknown: RouteUnknown) -> String {
        if unknown.allowed.isEmpty {
            return
                "There is no call \(unknown.path.shortened); GET /_understudy/v1/openapi.json lists all of them."
        }
        return
            "The call \(unknown.path.shortened) does not answer \(unknown.method.rawValue.shortened), only "
            + unknown.allowedMethods.joined(separator: ", ") + "."
    }
}

extension RouteUnknown {
    /// For the header `Allow`; a `HEAD` is answered wherever a `GET` is.
    var allowedMethods: [String] {
        let names = Set(allowed.map(\.rawValue))
        return names.union(names.contains("GET") ? ["HEAD"] : []).sorted()
    }
}

extension String {
    /// At most 120 characters, so that a message stays a message.
    var shortened: String { beginning(120) }
}
