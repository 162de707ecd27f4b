import Crypto
import Essentials
import PlatformKit
import Sockets

/// Where the development CA of `--tls auto` is kept: `ca.key`, which only its owner may read, with key and certificate, and `ca.pem` with the
/// certificate, for those who shall trust it. Both in a folder `ca` in that of `--data`, or else in the user's state folder.
struct AuthorityFolder: Sendable {
    private static let longest = 65_536

    let path: String

    var certificateFile: String { path + "/ca.pem" }
    var keyFile: String { path + "/ca.key" }

    init(path: String) { self.path = path }

    /// - Parameter data: the folder of `--data`, where one was given.
    /// - Throws: ``Failure`` where there is no folder for it.
    ///
    /// Source: XDG Base Directory Specification 0.8, `$XDG_STATE_HOME`.
    init(data: String?, environment: [String: String]) throws {
        // A folder that is not absolute is to be ignored.
        let own = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 + "/.local/state" : nil }
        guard let base = data ?? (own ?? home).map({ $0 + "/understudy" }) else {
            throw Failure(
                "--tls auto keeps its development CA in the user's state folder, but HOME is not set; give --data DIR or set XDG_STATE_HOME"
            )
        }
        path = base.withoutFinalSlash + "/ca"
    }

    /// The CA that is there, or a new one.
    ///
    /// - Parameter hosts: host names and addresses beside the local ones for which a new one may sign.
    /// - Throws: ``Failure`` for what is there and cannot be used, and for a folder that cannot be written.
    func authority(for hosts: [String], _ terminal: Terminal) throws -> DevelopmentAuthority {
        if let kept = try kept(terminal) { return kept }
        let host = System.hostName
        let made = try DevelopmentAuthority(
            label: host.isEmpty ? "this machine" : host,
            hosts: hosts.filter(DevelopmentAuthority.mayVouch),
            serialNumber: Entropy.system.bytes(16, "understudy.ca"), at: WallClock.system.now())
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw Failure(
                "cannot create the folder \(path) for the development CA: \(error.sentence); give --data DIR or set XDG_STATE_HOME"
            )
        }
        _ = PrivateFile.close(path)
        let file = try made.key.pem() + made.certificate.pem()
        // Another program may have been faster.
        guard try PrivateFile.create(Array(file.utf8), at: keyFile), let kept = try kept(terminal) else {
            return try self.authority(for: hosts, terminal)
        }
        return kept
    }

    /// The CA that is there; nil when none was made yet.
    ///
    /// - Throws: ``Failure`` for what is there and cannot be used.
    func kept(_ terminal: Terminal) throws -> DevelopmentAuthority? {
        guard BoundedFile.isThere(keyFile) else { return nil }
        if PrivateFile.close(keyFile) {
            terminal.complain("understudy: \(keyFile) was readable by other users; it no longer is")
        }
        let authority: DevelopmentAuthority
        do {
            let text = String(
                decoding: try BoundedFile.bytes(
                    at: keyFile, limit: Self.longest, of: "a key and a certificate", isPlain: true),
                as: UTF8.self)
            authority = try DevelopmentAuthority(
                certificate: Certificate(pem: text), key: PrivateKey(pem: text))
        } catch {
            throw Failure(
                "the development CA in \(keyFile) cannot be used: \(error.sentence). Restore the file; or remove it, start again, and trust the new CA (understudy ca trust)"
            )
        }
        let end = try authority.certificate.notAfter
        guard end > WallClock.system.now() else {
            throw Failure(
                "the development CA in \(keyFile) expired on \(Timestamp.text(end).prefix(10)). Remove the file, start again, and trust the new CA (understudy ca trust)"
            )
        }
        try publish(authority.certificate)
        return authority
    }

    /// Puts the certificate beside the key, where it is missing or another.
    private func publish(_ certificate: Certificate) throws {
        let pem = Array(try certificate.pem().utf8)
        // What cannot be read is not the certificate, and is replaced like any other that is not.
        let present = try? BoundedFile.bytes(
            at: certificateFile, limit: Self.longest, of: "a certificate", isPlain: true)
        guard present != pem else { return }
        try PrivateFile.replace(pem, at: certificateFile)
    }
}
