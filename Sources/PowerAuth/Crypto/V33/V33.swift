/// Version 3.3: envelopes are sealed to temporary keys.
struct V33: V3 {
    let version = ProtocolVersion.v33
    let requestMembers: EnvelopeMembers = [.nonce, .timestamp, .temporaryKeyID]
}
