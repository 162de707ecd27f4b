package import PlatformKit

extension SampleApp: SetsUpCallers {
    /// The back end of the guides, for apps that have none yet.
    package func setup(for place: Setup.Place) throws -> Setup? {
        let url = place.url(Self.name)
        var setup = Setup(values: [.init("Back end URL", url)])
        switch place.caller {
        case .iOS, .android:
            setup.values += [
                .init("Login by code (PowerAuth)", "POST \(url)/login"),
                .init("Who is logged in", "GET \(url)/me"),
                .init("Authorization URL (MIRACL)", "POST \(url)/authzurl"),
                .init("Web nonce for a token (nextAuth)", "POST \(url)/nextauth/token"),
            ]
        case .web: setup.values += [.init("Portal", url + "/portal"), .init("Passkeys", url + "/passkeys")]
        case .backEnd: return nil
        case .curl: setup.snippets = [.init("Shell", "curl \(url)/portal")]
        }
        return setup
    }
}
