import HTTP
import PlatformKit

/// A body that is said to be something else than JSON. Source: powerauth-server on Spring MVC, whose JSON endpoints answer so.
struct MediaTypeRefusal: PowerAuthRefusal, Equatable {
    let type: String

    var wire: WireError {
        var wire = WireError(
            .unsupportedMediaType, "ERROR_REQUEST", "Content-Type '\(type.prefix(100))' is not supported")
        // RFC 9110 §15.5.16.
        wire.headers["Accept"] = "application/json"
        return wire
    }

    var explanation: String {
        "The body came as “\(type.prefix(100))”; this API accepts JSON, with “Content-Type: application/json”. With curl, --json says so."
    }
}

extension Route<PowerAuth> {
    /// The same, for JSON alone. A body that nothing is said of is taken for JSON, as test clients send it.
    var ofJSON: Route {
        checking { request in
            guard let type = request.headers["Content-Type"], !request.body.isEmpty, !request.isJSON,
                request.method != .delete
            else { return }
            throw MediaTypeRefusal(type: type)
        }
    }
}
