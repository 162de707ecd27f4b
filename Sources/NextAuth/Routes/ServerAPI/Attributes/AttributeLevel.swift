import HTTP
import PlatformKit

/// Where attributes hang. The five calls are the same everywhere.
enum AttributeLevel: CaseIterable {
    case global
    case server
    /// The server's too, for those who may see all servers.
    case privileged
    case user

    private var path: String {
        switch self {
        case .global: "/attributes"
        case .server: "/servers/:serverid/attributes"
        case .privileged: "/servers/:serverid/privilegedattributes"
        case .user: "/servers/:serverid/users/:userid/attributes"
        }
    }

    var routes: [Route<NextAuth>] {
        [
            .get(path) { platform in { try platform.showAttributes(self, $0) } },
            .post(path) { platform in { try platform.replaceAttributes(self, $0) } },
            .put(path) { platform in { try platform.mergeAttributes(self, $0) } },
            .delete(path) { platform in { try platform.removeAttributes(self, $0) } },
            .delete(path + "/:attributekey") { platform in { try platform.removeAttribute(self, $0) } },
        ]
    }
}
