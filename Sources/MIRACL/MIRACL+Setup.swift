package import PlatformKit

extension MIRACL: SetsUpCallers {
    /// Of the default project, or of the first.
    ///
    /// - Source: the vendor's public repositories of the MIRACL Trust SDK for iOS (1.8) and Android (1.16), “SDK Configuration”.
    package func setup(for place: Setup.Place) throws -> Setup? {
        let all = try projects.all()
        guard let project = all.last(where: { $0.isDefault == true }) ?? all.first else { return nil }
        let url = place.url(Self.name)
        var setup = Setup(values: [.init("Project ID", project.id), .init("Project URL", url)])
        if all.count > 1 {
            setup.notes = [
                "Other projects: " + all.filter { $0.id != project.id }.map(\.id).joined(separator: ", ")
                    + "."
            ]
        }
        switch place.caller {
        case .iOS: setup.snippets = [Self.swift(project.id, url)]
        case .android: setup.snippets = [Self.kotlin(project.id, url)]
        case .web: setup.values += client(of: project)
        case .backEnd:
            setup.values += client(of: project)
            if let account = project.serviceAccounts?.first {
                setup.values.append(.init("Service account token", account.token))
            }
            setup.values += [.init("Issuer", url), .init("JWKS", url + "/oidc/certs")]
        case .curl: setup.snippets = [.init("Shell", "curl \(url)/.well-known/openid-configuration")]
        }
        return setup
    }

    private func client(of project: Project) -> [Setup.Value] {
        guard let application = project.applications?.first else { return [] }
        return [
            .init("Client ID", application.clientID), .init("Client secret", application.clientSecret),
            .init("Redirect URIs", application.redirectURIs.joined(separator: ", ")),
        ]
    }

    private static func swift(_ id: String, _ url: String) -> Setup.Snippet {
        .init(
            "MIRACL Trust SDK, Swift (module MIRACLTrust)",
            """
            let configuration = try Configuration.Builder(
                projectId: "\(id)",
                projectURL: "\(url)"
            ).build()
            try MIRACLTrust.configure(with: configuration)
            """)
    }

    private static func kotlin(_ id: String, _ url: String) -> Setup.Snippet {
        .init(
            "MIRACL Trust SDK, Kotlin",
            """
            val configuration = Configuration.Builder(
                "\(id)",
                "\(url)"
            ).build()
            MIRACLTrust.configure(applicationContext, configuration)
            """)
    }
}
