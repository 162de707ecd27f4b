import Essentials
import HTTP
import PlatformKit

extension NextAuth {
    struct InstanceChange: Decodable {
        let pushtoken: String?
        let name: String?
    }

    /// `PUT /device/v1/instance`: a new push token, a new name. What is left out stays.
    ///
    /// - Request: `{"pushtoken"?, "name"?}`.
    /// - Response: `200`, as for GET.
    /// - Errors: `BAD_REQUEST`, `UNAUTHORIZED`.
    /// - Source: ours.
    func changeInstance(_ request: Request) throws -> Response {
        let answer = try change { turn -> JSONValue in
            var instance = try request.requireDevice(in: turn.db)
            let input = try request.json(InstanceChange.self)
            try Instance.requireShort([input.pushtoken, input.name])
            instance.pushToken = input.pushtoken ?? instance.pushToken
            instance.name = input.name ?? instance.name
            try turn.update(instance)
            return try instance.deviceView(world.settings(in: turn.db), in: turn.db)
        }
        return try .json(answer)
    }
}
