import Essentials
import HTTP

extension PowerAuth {
    /// `POST /pa/v3/upgrade/start`: leads an activation of major version 2 to version 3. All are of version 3 here.
    ///
    /// - Request: `{}`, encrypted for the activation (`/pa/upgrade`).
    /// - Response: none.
    /// - Errors: `ERR_UPGRADE` always.
    /// - Source: PowerAuth documentation, “Upgrade”.
    func startUpgrade(_ request: Request) throws -> Response {
        try change { turn in
            try encryption.open(request, .upgrade, refusingAs: .upgrade, in: turn) {
                throw MobileRefusal.upgraded($0.activation)
            }
        }
    }

    /// `POST /pa/v3/upgrade/commit`: signed (`/pa/upgrade/commit`, possession).
    ///
    /// - Request: `{}`.
    /// - Response: none.
    /// - Errors: 401 `POWER_AUTH_SIGNATURE_INVALID`, or else `ERR_UPGRADE`.
    /// - Source: PowerAuth documentation, “Upgrade”.
    func commitUpgrade(_ request: Request) throws -> Response {
        try change { turn in
            try authenticate(request, uriID: "/pa/upgrade/commit", types: [.possession], in: turn) {
                throw MobileRefusal.upgraded($0.activation)
            }
        }
    }
}

extension MobileRefusal {
    static func upgraded(_ activation: Activation?) -> Self {
        Self(
            .upgrade,
            "The activation \(activation?.id ?? "") is of version 3 already; only those of version 2 are upgraded."
        )
    }
}
