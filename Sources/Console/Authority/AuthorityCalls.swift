import Crypto
import HTTP
import PlatformKit

extension Console {
    /// `GET /ca/FILE`, and `/_understudy/FILE` for phones: the certificate of the development CA, which is no secret, as `ca.pem`, `ca.crt`
    /// (DER) or `ca.mobileconfig` (a profile for iOS and macOS).
    ///
    /// - Response: `200` with the file.
    /// - Errors: 404 without `--tls auto`, and for another file.
    func authorityFile(_: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let file = request.path.split(separator: "/").last.map(String.init) ?? ""
        guard let authority = info.authority else { throw ControlError.absent(Self.noAuthority) }
        // Phones offer to install what comes under this type, PEM and DER alike.
        let certificate = "application/x-x509-ca-cert"
        switch file {
        case "ca.pem": return try Self.file(Array(authority.certificate.pem().utf8), certificate, file)
        case "ca.crt": return Self.file(authority.certificate.der, certificate, file)
        case "ca.mobileconfig":
            let profile = Array(try authority.mobileConfiguration().utf8)
            return Self.file(profile, "application/x-apple-aspen-config", file)
        default:
            throw ControlError.absent(
                "There is no “\(file.shortened)” here, only ca.pem, ca.crt and ca.mobileconfig.")
        }
    }

    static let authorityFiles = ["ca.pem", "ca.crt", "ca.mobileconfig"]

    static let noAuthority = "There is no development CA, because the program was started without --tls auto."

    private static func file(_ bytes: [UInt8], _ type: String, _ name: String) -> Response {
        Response(
            headers: [
                "Content-Type": type,
                "Content-Disposition": "attachment; filename=\"understudy-\(name)\"",
            ], body: bytes)
    }
}
