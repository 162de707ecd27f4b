import Essentials
import PlatformKit

// Clients of the kind `lenient` let a first login happen without fixtures. No real server has any, and the journal says so each time.
extension Client {
    package static let lenientKind = "lenient"

    var isLenient: Bool { kind == Self.lenientKind }
}

extension AuthorizationServer {
    /// Whether a URI that is not registered will do for this client, after a logout or with a code.
    func letsPass(_ uri: String, as parameter: String, of client: Client) -> Bool {
        guard client.isLenient, RedirectURI.isOnThisMachine(uri) else { return false }
        noteLenience(
            of: client,
            "the \(parameter) “\(uri.prefix(200))” is registered nowhere and was let pass, as any on localhost is"
        )
        return true
    }

    /// Whether a client need not prove who it is.
    func letsPass(_ method: ClientAuthenticationMethod, of client: Client) -> Bool {
        guard client.isLenient, method != .privateKeyJWT else { return false }
        let came =
            method == .none
            ? "without a secret" : "with \(method.rawValue) and a secret that was not compared"
        noteLenience(of: client, "it came \(came), and was let pass")
        return true
    }

    private func noteLenience(of client: Client, _ what: String) {
        services.journal.explain(
            "LENIENT CLIENT “\(client.id)”: \(what). A real server refuses that; a client of the kind “web” shows how."
        )
    }
}

extension RedirectURI {
    /// An http or https URL whose host is this machine, whatever name and port it has: `http://localhost:3000/cb`.
    static func isOnThisMachine(_ uri: String) -> Bool {
        // What is no redirect URI at all is thrown, and fits no client.
        guard let parsed = try? ClientURI(uri, of: "redirect_uri"), (try? parsed.checkWeb()) != nil else {
            return false
        }
        if ["localhost", "[::1]"].contains(parsed.host) || parsed.host.hasSuffix(".localhost") {
            return true
        }
        let numbers = parsed.host.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 4 && numbers.first == "127" && numbers.allSatisfy { UInt8($0) != nil }
    }
}
