import DeviceKit
import Essentials

/// One encrypted exchange: a request, and what opens the response to it.
protocol Exchange {
    /// The members as they are sent.
    var request: JSONValue { get }

    /// The plaintext of the response.
    ///
    /// - Throws: ``DeviceError`` when it is not the response to this request.
    func open(_ response: JSONValue?) throws -> [UInt8]
}

/// Of protocol 3.x.
struct EnvelopeExchange: Exchange {
    let envelope: Envelope
    let nonce: [UInt8]
    let message: SealedMessage

    var request: JSONValue { message.json }

    func open(_ response: JSONValue?) throws -> [UInt8] {
        try envelope.open(SealedMessage(response: response), requestNonce: nonce)
    }
}

/// Of protocol 4.0.
struct MessageExchange: Exchange {
    let message: Protocol4.Message
    let request: JSONValue

    func open(_ response: JSONValue?) throws -> [UInt8] { try message.answer(response) }
}
