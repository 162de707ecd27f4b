import Crypto
import Essentials
import HTTP
import PlatformKit

extension PowerAuth {
    /// `POST /pa/v3/activation/status`: state, attempts and counter, for the device's eyes only.
    ///
    /// - Request: `{"requestObject":{"activationId","challenge"}}`; `challenge`, 16 bytes in Base64, is missing in 3.0.
    /// - Response: `200 {"status":"OK","responseObject":{"activationId","encryptedStatusBlob","nonce","customObject"}}`. Who does
    ///   not exist, or has exchanged no keys, is answered with random bytes.
    /// - Errors: `ERR_ACTIVATION` when `activationId` is missing or the challenge has not 16 bytes.
    /// - Source: PowerAuth documentation, “Checking activation status”.
    func activationStatus(_ request: Request) throws -> Response {
        guard let input = request.requestObject, let id = input["activationId"]?.string else {
            throw MobileRefusal(.activation, "The member requestObject.activationId is missing.")
        }
        let exchange = try told { try statusExchange(input["challenge"]) }
        let blob = try change { turn in
            let activation = try activations.find(id, in: turn)
            activation.map(turn.concern)
            explainChance(activation, id)
            return try encryptedStatus(activation, exchange, in: turn)
        }
        return .powerAuth(responseObject: [
            "activationId": .string(id), "encryptedStatusBlob": .string(Base64.encode(blob)),
            "nonce": exchange.map { .string($0.nonce.base64) } ?? .null, "customObject": .null,
        ])
    }

    /// Tells the journal why a status cannot be decrypted, which is all that the device will say of it.
    private func explainChance(_ activation: Activation?, _ id: String) {
        guard let activation else {
            services.journal.explain(
                "There is no activation \(id.prefix(80)) in this world, so the status is random bytes that no device can decrypt. A world in "
                    + "memory forgets its activations when the program ends or the world is reset: start with --data DIR to keep "
                    + "them, put the activation into the fixtures, or activate the device again.")
            return
        }
        if activation.generation == 4 {
            services.journal.explain(
                "The activation \(id) speaks protocol 4.0, whose status is at /pa/v4/activation/status: this one is chance that no device can "
                    + "decrypt.")
        } else if activation.masterSecret == nil {
            services.journal.explain(
                "The activation \(id) has exchanged no keys yet and is \(activation.state.rawValue): the status is chance that no "
                    + "device can decrypt.")
        }
    }

    private func told<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let fault as ProtocolFault {
            throw MobileRefusal(.activation, "The challenge cannot be used: \(fault).")
        }
    }
}

// What a server in front of this one asks for as well.
extension PowerAuth {
    /// What device and server draw for one answer.
    ///
    /// - Parameter challenge: 16 bytes in Base64. Devices of 3.0 send none, and no nonce is drawn for them.
    /// - Throws: ``ProtocolFault``.
    func statusExchange(_ challenge: JSONValue?) throws -> StatusExchange? {
        guard let challenge, !challenge.isNull else { return nil }
        return try StatusExchange(
            challenge: Nonce(base64: challenge.string ?? "*"),
            nonce: Nonce(services.entropy.bytes(Nonce.count, "powerauth.status")))
    }

    /// The status that the device of an activation of 3.x can read, 32 bytes. Chance where there is no such device: no activation, or one
    /// that has exchanged no keys.
    func encryptedStatus(
        _ activation: Activation?, _ exchange: StatusExchange?, in turn: Turn
    ) throws -> [UInt8] {
        let filler = services.entropy.bytes(32, "powerauth.status-filler")
        guard let activation, let state = StatusBlob.State(activation.state),
            let keys = try activation.derivedKeys(), let counterData = activation.counterData?.bytes
        else { return filler }
        let offers = try ApplicationSuites.find(activation.application, in: turn.db).offersUpgrade
        let blob = StatusBlob(
            state: state, upgradeVersion: offers ? 4 : 3, failedAttempts: activation.failedAttempts,
            maxFailedAttempts: activation.maxFailedAttempts,
            lookAhead: try world.settings(in: turn.db).lookAhead, counter: activation.counter,
            counterData: try HashCounter(counterData))
        return try ProtocolVersion.ofStatusRequest(hasChallenge: exchange != nil).mobileProtocol
            .encryptedStatus(blob, transport: keys.transport, exchange: exchange, filler: filler)
    }
}

extension StatusBlob.State {
    /// Nil for a state in which a device has no keys.
    init?(_ state: Activation.State) {
        switch state {
        case .created: return nil
        case .pendingCommit: self = .pendingCommit
        case .active: self = .active
        case .blocked: self = .blocked
        case .removed: self = .removed
        }
    }
}

extension Request {
    /// The member `requestObject` of a plain body; nil when the body is empty, no JSON object, or has none.
    var requestObject: [String: JSONValue]? {
        // Whatever is malformed is a missing object to the endpoints, and each says so in its own words.
        (try? JSONValue(parsing: body))?["requestObject"]?.object
    }
}
