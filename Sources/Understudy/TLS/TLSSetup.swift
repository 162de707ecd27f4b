import Console
import Crypto
import Essentials
import PlatformKit
import Sockets

/// What `--tls` comes to.
struct TLSSetup: Sendable {
    /// Nil without TLS.
    let context: TLSContext?
    /// Where our own CA is kept, and the CA; nil without `--tls auto`.
    let folder: AuthorityFolder?
    let authority: DevelopmentAuthority?
    /// Names and addresses of ours that it may not sign for.
    let unsigned: Set<String>
    var profile: AuthorityProfile? { authority.map { AuthorityProfile($0.certificate) } }
    /// What our own calls trust beside the system's authorities, PEM: that CA, or the certificate that we show.
    let certificates: String?

    /// - Throws: ``Failure``.
    init(_ settings: ServeSettings, _ terminal: Terminal) throws {
        switch settings.tls {
        case nil: (context, folder, authority, certificates, unsigned) = (nil, nil, nil, nil, [])
        case .files(let certificate, let key):
            // OpenSSL would wait for the writer of a pipe, and read a device without end.
            let chain = try BoundedFile.bytes(
                at: certificate, limit: 1 << 20, of: "a certificate", isPlain: true)
            _ = try BoundedFile.bytes(at: key, limit: 1 << 20, of: "a private key", isPlain: true)
            do {
                context = try TLSContext(certificate: certificate, key: key)
            } catch let error as SocketError {
                throw Failure(error.message)
            }
            (folder, authority, unsigned) = (nil, nil, [])
            certificates = String(decoding: chain, as: UTF8.self)
        case .auto:
            let folder = try AuthorityFolder(data: settings.dataFolder, environment: terminal.environment)
            let authority = try folder.authority(for: settings.namedHosts, terminal)
            let shown = try ServerCertificates(authority, hosts: settings.certificateHosts) {
                terminal.complain("understudy: \($0)")
            }
            Self.warn(of: shown.refused, settings, folder, terminal)
            context = try TLSContext { shown.identity(for: $0) }
            (self.folder, self.authority, unsigned) = (folder, authority, Set(shown.refused))
            certificates = try authority.certificate.pem()
        }
    }

    /// A name that somebody gave, or an address that we tell, and the CA may not sign for; what this machine calls itself matters to
    /// nobody in particular.
    private static func warn(
        of refused: [String], _ settings: ServeSettings, _ folder: AuthorityFolder, _ terminal: Terminal
    ) {
        let told = settings.allowedHosts.union(settings.networkAddresses)
        for host in refused where told.contains(host) {
            let options = settings.allowedHosts.contains(host) ? "the same options" : "--allow-host \(host)"
            let way =
                DevelopmentAuthority.mayVouch(for: host)
                ? "remove \(folder.keyFile), start again with \(options), and trust the new CA (understudy ca trust)"
                : "a name without a dot may be a top-level domain; give the machine another name, such as \(host).test"
            terminal.complain(
                "understudy: the development CA may not sign for \(host), so no client trusts https://\(host): \(way)"
            )
        }
    }
}
