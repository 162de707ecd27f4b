import Crypto
import DeviceKit
import Essentials

extension Device {
    /// `activation/status`: reads the state, and brings the counters together where that is possible.
    ///
    /// - Throws: ``CounterDeadlock``; ``DeviceError`` when the blob cannot be decrypted, which is how a server answers that does not
    ///   know the activation.
    package func status() throws -> ActivationStatus {
        try isOfFourth ? status4() : status3()
    }

    private func status3() throws -> ActivationStatus {
        let activation = try requireActivation()
        let challenge = version == .v30 ? nil : draw(16)
        var request: [String: JSONValue] = ["activationId": .string(activation.id)]
        request["challenge"] = challenge.map { .string(Base64.encode($0)) }
        let response = try call("/pa/v3/activation/status", .object(request))
        guard let answer = response["responseObject"] else {
            throw DeviceError("the answer has no “responseObject”")
        }
        guard try answer.text("activationId") == activation.id else {
            throw DeviceError("the status is that of another activation")
        }
        if challenge == nil, answer["nonce"].map(\.isNull) == false {
            throw DeviceError("the status has a nonce without a challenge")
        }
        let blob = try StatusBlob(
            Wire.bytes(answer["encryptedStatusBlob"]?.string, "encryptedStatusBlob"),
            transportKey: activation.ofThird().transportKey, challenge: challenge,
            nonce: challenge == nil ? nil : Wire.bytes(answer["nonce"]?.string, "nonce", count: 16))
        let custom = answer["customObject"].flatMap { $0.isNull ? nil : $0 }
        let status = try ActivationStatus(blob, tellsCounter: challenge != nil, customObject: custom)
        guard challenge != nil, status.state != .removed else { return status }
        let transportKey = try activation.ofThird().transportKey
        let distance = try synchronise(
            byte: blob.counterByte, window: Int(blob.lookAhead), isActive: status.state == .active
        ) { counter in
            let hash = try StatusBlob.hash(of: counter, transportKey: transportKey)
            return constantTimeEqual(hash, blob.counterHash)
        }
        return try ActivationStatus(
            blob, tellsCounter: true, counterDistance: distance, customObject: custom)
    }

    /// Walks forward to the server's counter, or lets the server catch up.
    ///
    /// - Parameters:
    ///   - byte: the last one of the number of the server's steps.
    ///   - window: steps that the server tries.
    ///   - isServers: whether a counter is the one that the server told.
    /// - Returns: steps that the server was ahead.
    func synchronise(
        byte: UInt8, window: Int, isActive: Bool, _ isServers: (HashCounter) throws -> Bool
    ) throws -> Int {
        let activation = try requireActivation()
        let distance = Int(Int8(truncatingIfNeeded: Int(byte) - Int(activation.counter.byte)))
        let found = try (0...window).first { try isServers(activation.counter.advanced(by: $0)) }
        if let found, found == distance {
            self.activation?.counter = activation.counter.advanced(by: found)
            return distance
        }
        guard found == nil, distance < 0, -distance <= window else {
            throw CounterDeadlock(byteDistance: distance, hashDistance: found)
        }
        if isActive, -distance > window / 2 {
            try validate(reason: "COUNTER_SYNCHRONIZATION", with: .possession)
        }
        return distance
    }
}
