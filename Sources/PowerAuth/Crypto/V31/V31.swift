/// Version 3.1: codes in Base64, a nonce in requests from which the IV follows, a status that answers a challenge.
struct V31: BeforeV32 {
    let version = ProtocolVersion.v31
    let requestMembers: EnvelopeMembers = .nonce
}
