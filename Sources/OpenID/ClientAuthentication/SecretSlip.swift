import Crypto
import Essentials
import HTTP

/// What is probably wrong about a wrong secret.
enum SecretSlip: Equatable {
    case empty
    case ofAnotherClient(String)
    /// White space at an end.
    case padded
    case letterCase
    /// Percent-encoded once more, or once less, than it should be.
    case encoding
    /// Bytes of the secret that came, and of the right one.
    case length(came: Int, expected: Int)
    /// As long as the right one, and alike but for the byte at this place, counted from 1.
    case typing(place: Int)

    var words: String {
        switch self {
        case .empty: "it is empty"
        case .ofAnotherClient(let id): "it is the secret of the client “\(id)”"
        case .padded: "there is white space, such as a line end, around it"
        case .letterCase: "it differs in upper and lower case alone"
        case .encoding:
            "it is percent-encoded once too often or once too little (RFC 6749 §2.3.1 requires encoding it once before base64)"
        case .typing(let place): "one character is mistyped, the one at place \(place)"
        case .length(let came, let expected): "it has \(came) bytes, the right one has \(expected)"
        }
    }

    /// - Parameter others: the other clients of the server.
    init?(_ secret: String, expected: String, others: [Client]) {
        if secret.isEmpty {
            self = .empty
        } else if let other = others.first(where: { $0.secret == secret }) {
            self = .ofAnotherClient(other.id)
        } else if !secret.isEmpty, String(secret.drop(while: \.isWhitespace)).trimmed == expected.trimmed {
            self = .padded
        } else if secret.asciiLowercased == expected.asciiLowercased {
            self = .letterCase
        } else if Form.decode(secret) == expected || secret == Form.decode(expected) {
            self = .encoding
        } else if secret.utf8.count != expected.utf8.count {
            self = .length(came: secret.utf8.count, expected: expected.utf8.count)
        } else {
            let wrong = zip(secret.utf8, expected.utf8).enumerated().filter { $1.0 != $1.1 }
            guard wrong.count == 1, let place = wrong.first?.offset else { return nil }
            self = .typing(place: place + 1)
        }
    }
}

extension String {
    /// Without white space at either end.
    fileprivate var trimmed: String {
        var rest = drop(while: \.isWhitespace)
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}
