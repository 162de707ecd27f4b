import Console
import Crypto
import Essentials
import PlatformKit
import Sockets

/// `ca`: the development CA of `--tls auto`, for those who shall trust it. One that is not there yet is made.
enum AuthorityCommand {
    private enum Format: String, CaseIterable {
        case pem, der, p12, mobileconfig
    }

    static func run(_ invocation: Invocation, _ terminal: Terminal) throws -> Int32 {
        let (action, arguments) = try invocation.action()
        let folder = try AuthorityFolder(
            data: invocation.text(.data), environment: terminal.environment)
        let hosts = try ServeSettings(invocation).namedHosts
        let authority = try folder.authority(for: hosts, terminal)
        let profile = AuthorityProfile(authority.certificate)
        switch action {
        case "export": try export(profile, invocation, terminal)
        case "trust": try trust(folder, arguments.first, terminal)
        default: try show(authority, folder, invocation, terminal)
        }
        return 0
    }

    private struct View: Encodable {
        let name: String
        let certificate: String
        let key: String
        let sha256: String
        let notAfter: String
        /// Domains and networks for which it can sign.
        let permitted: [String]
    }

    private static func show(
        _ authority: DevelopmentAuthority, _ folder: AuthorityFolder, _ invocation: Invocation,
        _ terminal: Terminal
    ) throws {
        let profile = AuthorityProfile(authority.certificate)
        let view = View(
            name: try profile.name, certificate: folder.certificateFile, key: folder.keyFile,
            sha256: profile.fingerprint, notAfter: Timestamp.text(try profile.certificate.notAfter),
            permitted: try authority.permittedSubtrees())
        guard !invocation.flag(.json) else { return terminal.write(JSONText.line(view)) }
        let rows = [
            ["Name", view.name], ["Certificate", view.certificate], ["Key", view.key],
            ["SHA-256", view.sha256], ["Expires", String(view.notAfter.prefix(10))],
        ]
        for line in Columns.lines(rows, indent: 0) { terminal.print(line) }
        terminal.print("Signs only for these, and for names below them:")
        for line in Columns.wrap(view.permitted.joined(separator: ", "), width: 98) {
            terminal.print("  " + line)
        }
    }

    private static func export(
        _ profile: AuthorityProfile, _ invocation: Invocation, _ terminal: Terminal
    ) throws {
        let format: Format = try invocation.choice(.authorityFormat) ?? .pem
        let bytes =
            switch format {
            case .pem: Array(try profile.certificate.pem().utf8)
            case .der: profile.certificate.der
            case .p12:
                try profile.certificate.trustStore(
                    name: "understudy", password: invocation.text(.storePassword) ?? "changeit")
            case .mobileconfig: Array(try profile.mobileConfiguration().utf8)
            }
        if let file = invocation.text(.output) {
            try PrivateFile.replace(bytes, at: file)
            return terminal.print("wrote \(file)")
        }
        guard format == .pem || format == .mobileconfig else {
            throw Failure("--format \(format.rawValue) is not text; name a file with --output FILE")
        }
        terminal.write(String(decoding: bytes, as: UTF8.self))
    }

    private static func trust(_ folder: AuthorityFolder, _ name: String?, _ terminal: Terminal) throws {
        let server = "http://\(NetworkInterfaces.mainAddress ?? "ADDRESS"):8420"
        let steps = TrustGuide(
            file: quoted(folder.certificateFile), server: server, secure: "https://localhost:8420"
        ).steps
        let chosen = name.map { name in steps.filter { $0.name == name } } ?? steps
        guard !chosen.isEmpty else {
            throw UsageError(
                "ca trust has no “\(name ?? "")”, only \(steps.map(\.name).joined(separator: ", "))")
        }
        for step in chosen {
            terminal.print(terminal.bold(step.title) + (name == nil ? "  (\(step.name))" : ""))
            for line in Columns.wrap(step.words, width: 98) where !line.isEmpty {
                terminal.print("  " + line)
            }
            for line in step.lines { terminal.print("    " + line) }
            terminal.print()
        }
    }

    /// As a shell takes it.
    private static func quoted(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy {
            0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 || "/._-+@".utf8.contains($0)
        }
        return isPlain ? path : "'" + path.replacing("'", with: "'\\''") + "'"
    }
}
