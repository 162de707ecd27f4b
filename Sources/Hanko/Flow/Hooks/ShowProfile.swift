import Essentials

extension FlowHook {
    /// Before `success` and `profile_init`: the user as `GET /me` shows one.
    static let showProfile = FlowHook { turn in
        turn.payload["user"] = try .wire(Profile(try turn.requireAccount(), turn.configuration))
    }
}
