import Crypto
import Essentials

/// Other forms of what a code covers, each with one part changed, the likeliest first.
struct Variations {
    struct Variation {
        let data: SignedData
        /// What the code is right for and what was expected, without a full stop.
        let sentence: String
    }

    private(set) var all: [Variation] = []

    init(of claim: SignedData, in code: WrongCode) {
        for resource in Self.resources(like: claim.uriID, seen: claim.paths + code.seenResources) {
            var data = claim
            data.uriID = resource
            add(data, "it was made for the uriId “\(resource)”, expected “\(claim.uriID)”")
        }
        for method in ["POST", "GET", "PUT", "DELETE", "PATCH"] where method != claim.method {
            var data = claim
            data.method = method
            add(data, "it was made for the method \(method), expected \(claim.method)")
        }
        for (body, name) in Bodies.variations(of: claim.body) where body != claim.body {
            var data = claim
            data.body = body
            add(data, "it covers \(name), expected the \(claim.body.count) bytes of the body as they came")
        }
        for secret in code.otherSecrets where secret.text != claim.secret {
            var data = claim
            data.secret = secret.text
            add(
                data,
                "it was made with the secret of version “\(secret.version)” of \(secret.application), not with that of the "
                    + "version whose key it names")
        }
        var offline = claim
        offline.secret = claim.secret == "offline" ? "" : "offline"
        add(offline, "it was made as for an offline code, without the application secret")
    }

    private mutating func add(_ data: SignedData, _ sentence: String) {
        all.append(Variation(data: data, sentence: sentence))
    }

    /// Resources of the platform, of this world, and forms of the one that was expected.
    private static func resources(like uriID: String, seen: [String]) -> [String] {
        var resources: [String] = []
        for resource in forms(of: uriID) + seen + known where resource != uriID {
            if !resources.contains(resource) { resources.append(resource) }
        }
        return resources
    }

    /// From how many segments as many as that are cut off.
    private static let longestPath = 16

    /// What apps and back ends mix up with an agreed name: the path with more or fewer segments, with or without slashes.
    private static func forms(of uriID: String) -> [String] {
        let path = String(uriID.prefix { $0 != "?" })
        let segments = path.split(separator: "/").map(String.init)
        var forms = [path, "/" + segments.joined(separator: "/"), segments.joined(separator: "/")]
        forms.append((forms.first ?? "") + "/")
        // Each is as long as the path: the number of segments is squared here.
        for count in 1..<max(min(segments.count, longestPath), 1) {
            forms.append("/" + segments.dropFirst(count).joined(separator: "/"))
            forms.append("/" + segments.dropLast(count).joined(separator: "/"))
        }
        for prefix in ["/app", "/api", "/v1", "/api/v1", "/enrollment-server", "/pa", "/pa/v3", "/pa/v4"] {
            forms.append(prefix + "/" + segments.joined(separator: "/"))
        }
        forms.append(path.replacing("/pa/v3/", with: "/pa/"))
        forms.append(path.replacing("/pa/v4/", with: "/pa/"))
        forms.append(path.replacing("/pa/", with: "/pa/v3/"))
        forms += [path.lowercased(), ""]
        return forms
    }

    /// Agreed names of the mobile protocol and of the Mobile Token, and those of the vendor's guide.
    private static let known = [
        "/pa/signature/validate", "/pa/token/create", "/pa/token/remove", "/pa/vault/unlock",
        "/pa/activation/remove", "/pa/activation/rename", "/pa/recovery/confirm", "/pa/upgrade/commit",
        "/pa/auth/validate", "/pa/activation/confirm", "/pa/password/change", "/pa/biometry/add",
        "/pa/biometry/remove", "/pa/upgrade/confirm",
        "/operation/authorize", "/operation/authorize/offline", "/operation/cancel", "/operation/history",
        "/api/activation/code", "/login", "/login/init", "/login/confirm",
    ]
}
