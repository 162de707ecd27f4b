import Essentials
import HTTP
import PlatformKit
import WebAuthn

extension Turn {
    /// Says in the journal what was let pass.
    func noteLeniency(of verified: VerifiedCredential, about subject: String) {
        for (event, sentence) in verified.leniencies { note(event, about: subject, sentence) }
    }

    /// Says in the journal why the page that asks for options will get no credential from its browser, when that is certain.
    func noteProspects(of request: Request, _ rules: CeremonyRules) {
        guard let origin = request.headers["Origin"] else { return }
        let party = RelyingParty(id: rules.relyingParty.id, origins: [origin])
        for problem in party.problems {
            note(
                "webauthn impossible", about: String(origin.prefix(200)),
                "The browser will refuse the page: \(problem). The relying party id is "
                    + "config.webauthn.relying_party.id in the fixtures of hanko.")
        }
    }
}

extension VerifiedCredential {
    /// What was let pass, as events of the journal.
    var leniencies: [(event: String, sentence: String)] {
        warnings.map { ("webauthn warning", $0.pardon) }
            + (originRemark.map { [("not in production", $0)] } ?? [])
    }
}

extension WebAuthnRefusal {
    /// What the journal says of it where it is let pass.
    var pardon: String { "Let pass as Hanko does, though the standard does not: \(sentence)" }

    /// The explanation as a sentence, which also says where a line for the fixtures belongs.
    var sentence: String {
        guard let fixture else { return explanation }
        let isLocal = check == .origin && got.hasPrefix("http://localhost")
        return explanation + " in hanko.config.webauthn.relying_party"
            + (isLocal ? ", or \"any_localhost_origin\": true in hanko" : "")
            + (fixture.hasPrefix("“id”") ? ", if that relying party id is meant." : ".")
    }
}

extension PostedCredential {
    /// - Throws: `PostedCredentialFault`.
    init(_ body: [UInt8], _ ceremony: Ceremony) throws {
        let posted: JSONValue
        do {
            posted = try JSONValue(parsing: body)
        } catch let error as DecodingError {
            throw PostedCredentialFault(.json, "the body is not one JSON value: \(error.sentence)")
        }
        try self.init(posted, ceremony)
    }
}
