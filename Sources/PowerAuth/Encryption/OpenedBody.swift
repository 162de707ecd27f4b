import Essentials
import HTTP
import PlatformKit

/// An encrypted request that was opened, of whichever generation of the protocol, and what its answer needs.
enum OpenedBody: Sendable {
    case third(OpenedEnvelope)
    case fourth(OpenedMessage)

    var plaintext: [UInt8] {
        switch self {
        case .third(let opened): opened.plaintext
        case .fourth(let opened): opened.plaintext
        }
    }

    var application: Application {
        switch self {
        case .third(let opened): opened.application
        case .fourth(let opened): opened.application
        }
    }

    /// Nil in application scope.
    var activation: Activation? {
        switch self {
        case .third(let opened): opened.activation
        case .fourth(let opened): opened.holder?.activation
        }
    }
}

extension PowerAuth {
    /// Opens the encrypted body of a request that may speak any generation of the protocol, which its header tells, and does `body`
    /// with what was in it; see ``Encryption`` and ``AEADEncryption``.
    func open<Value>(
        _ request: Request, _ scope: EnvelopeScope, in turn: Turn, _ body: (OpenedBody) throws -> Value
    ) throws -> Value {
        // What is wrong with a header is found out where it is needed.
        if (try? EncryptionHeader(of: request))?.version == .four {
            return try aeadEncryption.open(
                request, scope == .application ? .applicationGeneric : .activationGeneric, in: turn
            ) { try body(.fourth($0)) }
        }
        return try encryption.open(
            request, scope == .application ? .applicationGeneric : .activationGeneric, in: turn
        ) { try body(.third($0)) }
    }

    /// Encrypts an answer: status 200, the encrypted members alone as its body.
    func sealed(_ plaintext: JSONValue, answering body: OpenedBody) throws -> Response {
        switch body {
        case .third(let opened): try encryption.sealed(plaintext, answering: opened)
        case .fourth(let opened): try aeadEncryption.sealed(plaintext, answering: opened)
        }
    }
}
