import HTTP

extension EncryptionHeader {
    /// That of a request, or what its authorization header says in its place.
    ///
    /// - Throws: ``EnvelopeRefusal``.
    init(of request: Request) throws {
        do {
            if let text = request.headers[Self.name] {
                try self.init(text)
            } else if let text = request.headers[AuthorizationHeader.name] {
                self.init(try AuthorizationHeader(text))
            } else {
                throw EnvelopeRefusal.headerMissing
            }
        } catch let refusal as HeaderRefusal {
            throw EnvelopeRefusal.headerMalformed(refusal)
        }
    }
}
