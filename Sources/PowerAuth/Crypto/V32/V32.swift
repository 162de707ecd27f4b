/// Version 3.2: time and associated data in envelopes, a nonce of the response's own, digests of tokens that cover the version.
struct V32: V3 {
    let version = ProtocolVersion.v32
    let requestMembers: EnvelopeMembers = [.nonce, .timestamp]
}
