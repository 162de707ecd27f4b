import Essentials
import HTTP
import PlatformKit
import SQLite

extension PowerAuth {
    /// `POST /admin/applications/{id}/push/{service}`: how pushes of an application would be sent. It is kept and used for nothing:
    /// pushes end in the outbox.
    ///
    /// - Request: `apns`: `{"topic", "keyId", "teamId", "environment", "privateKeyBase64"}`; `fcm`: `{"projectId",
    ///   "privateKeyBase64"}`; `hms`: any object.
    /// - Response: `200 {"status": "OK"}`.
    /// - Errors: `ERROR_REQUEST`.
    /// - Source: PowerAuth Cloud documentation, administration; the response, and `hms`, are *assumed*.
    func configurePush(_ request: Request) throws -> Response {
        _ = try requireBackOffice(request, .admin)
        let input = try Members(request)
        let name = request.parameter("service")
        guard let service = PushDevice.Service(rawValue: name) else {
            throw CloudRefusal(
                .request, "There is no push service “\(name.prefix(60))”: use apns, fcm or hms.")
        }
        let required: [String] =
            switch service {
            case .apns: ["topic", "keyId", "teamId", "privateKeyBase64"]
            case .fcm: ["projectId", "privateKeyBase64"]
            case .hms: []
            }
        for name in required { _ = try input.text(name, 1...16_384) }
        try input.check()
        let settings = try Members.API.cloud.object(of: request)
        try world.change { turn in
            let application = try requireAnyApplication(request.parameter("application"), in: turn.db)
            try turn.save(
                Configuration(
                    application: application.id, kind: .push, name: service.rawValue, value: .object(settings)
                ))
        }
        return .cloudOK
    }
}
