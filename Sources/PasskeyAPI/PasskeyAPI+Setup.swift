package import PlatformKit
import SQLite
import WebAuthn

extension PasskeyAPI: SetsUpCallers {
    /// Of the first tenant.
    ///
    /// - Source: docs.hanko.io, Passkey API; README of the JavaScript SDK.
    package func setup(for place: Setup.Place) throws -> Setup? {
        guard let tenant = try database.read({ try $0.all(Tenant.self).first }) else { return nil }
        let url = place.url(Self.name)
        var setup = Setup(values: [
            .init("Base URL", url), .init("Tenant ID", tenant.id),
            .init("Relying party ID", tenant.relyingParty.id),
            .init("Origins", CeremonyRules(tenant, isMFA: false).party.effectiveOrigins),
        ])
        switch place.caller {
        case .backEnd:
            let key = tenant.apiKeys.first ?? ""
            setup.values += [
                .init("API key", key), .init("JWKS", "\(url)/\(tenant.id)/.well-known/jwks.json"),
            ]
            setup.snippets = [
                .init(
                    "@teamhanko/passkeys-sdk, JavaScript",
                    """
                    import { tenant } from "@teamhanko/passkeys-sdk";

                    const passkeys = tenant({
                      baseUrl: "\(url)",
                      tenantId: "\(tenant.id)",
                      apiKey: "\(key)",
                    });
                    """)
            ]
        case .web, .iOS, .android:
            setup.notes = [
                "Pages and apps get options from your back end and send the answer back to it; a login without a user id they may begin and end themselves."
            ]
        case .curl: setup.snippets = [.init("Shell", "curl -X POST \(url)/\(tenant.id)/login/initialize")]
        }
        return setup
    }
}
