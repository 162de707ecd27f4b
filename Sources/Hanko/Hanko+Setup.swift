import HTTP
package import PlatformKit
import WebAuthn

extension Hanko: SetsUpCallers {
    /// Web pages take Hanko Elements; there is no SDK for mobile apps, which speak the API.
    ///
    /// - Source: docs.hanko.io, quickstarts for front ends and back ends.
    package func setup(for place: Setup.Place) throws -> Setup? {
        let (url, configuration) = (place.url(Self.name), try configuration())
        let party = configuration.relyingParty
        var setup = Setup(values: [
            .init("API URL", url), .init("Relying party ID", party.id),
            .init("Origins", party.effectiveOrigins),
        ])
        switch place.caller {
        case .web:
            setup.snippets = [
                .init(
                    "Hanko Elements, JavaScript",
                    """
                    import { register } from "@teamhanko/hanko-elements";

                    const { hanko } = await register("\(url)");
                    """)
            ]
        case .iOS, .android:
            setup.notes = [
                "Hanko has no SDK for mobile apps: they call its API, and use passkeys by the system's own interfaces."
            ]
        case .backEnd:
            setup.values += [
                .init("JWKS", url + "/.well-known/jwks.json"),
                .init("Session validation", url + "/sessions/validate"),
                .init("Admin API", place.url("hanko-admin")),
            ]
            setup.snippets = [.init("Environment", "HANKO_API_URL=\(url)")]
        case .curl: setup.snippets = [.init("Shell", "curl \(url)/.well-known/jwks.json")]
        }
        return setup
    }
}

extension Hanko: OffersFirstSteps {
    package static let firstSteps = FirstCommands(look: "/.well-known/config") { base, email in
        #"""
        <pre class="shell" data-copy>url=\#(base)
        id=$(curl -s $url/user -H 'Content-Type: application/json' \
          -d '{"email":"\#(email)"}' | sed 's/.*"id":"\([^"]*\)".*/\1/')
        curl $url/passcode/login/initialize -H 'Content-Type: application/json' \
          -d "{\"user_id\":\"$id\"}"</pre>
        """#
    }
}
