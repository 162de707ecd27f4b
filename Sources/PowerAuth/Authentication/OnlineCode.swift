/// An authentication code with everything that it names.
struct OnlineCode {
    enum Covered {
        case request(SignedRequest, nonce: String)
        /// Joined by the caller, all but the application secret.
        case normalized([UInt8])
    }

    let text: String
    let type: SignatureType
    let version: RequestVersion
    let activationID: String
    let applicationKey: String
    let data: Covered
    /// Those in which the activation may make codes.
    var states: Set<Activation.State> = [.active]
}

extension OnlineCode {
    init(_ header: AuthorizationHeader, over signed: SignedRequest) {
        self.init(
            text: header.signature, type: header.type, version: header.version,
            activationID: header.activationID, applicationKey: header.applicationKey,
            data: .request(signed, nonce: header.nonce))
    }
}

/// What the device signed, as the one who asks believes it.
struct SignedRequest: Sendable, Equatable {
    /// Upper case.
    let method: String
    /// Agreed identifier, not the path.
    let uriID: String
    /// Raw bytes; of GET the canonical query.
    let body: [UInt8]
    /// Of the request itself, in each form in which a client may take it for the agreed identifier.
    var paths: [String] = []
}

extension OnlineCode.Covered {
    /// - Throws: ``ProtocolFault`` for a nonce that is none.
    func normalized(_ secret: ApplicationSecret) throws -> NormalizedData {
        switch self {
        case .request(let signed, let nonce):
            NormalizedData(
                method: signed.method, uriID: signed.uriID, nonce: try Nonce(base64: nonce),
                body: signed.body,
                secret: secret)
        case .normalized(let data): NormalizedData(data + Array("&\(secret.text)".utf8))
        }
    }

    /// Nil for data that was not normalised as documented.
    func parts(secret: String) -> SignedData? {
        switch self {
        case .request(let signed, let nonce):
            SignedData(
                method: signed.method.uppercased(), uriID: signed.uriID, nonce: nonce, body: signed.body,
                secret: secret, paths: signed.paths)
        case .normalized(let data): SignedData(normalized: data, secret: secret)
        }
    }

    /// Nil where the caller did not tell it.
    var uriID: String? {
        if case .request(let signed, _) = self { signed.uriID } else { nil }
    }
}
