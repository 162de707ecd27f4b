import DeviceKit
import Essentials

extension Device {
    /// What a server says of itself.
    package struct ServerStatus: Sendable, Equatable {
        /// Milliseconds since 1970.
        package let serverTime: Int
        package let applicationName: String?
        package let applicationVersion: String?
        /// What the server takes of SDK 2.x; nil before protocol 4.0.
        package let supportedAlgorithms: [String]?
    }

    /// `status`: sets the clock by the server's, taking the middle of the round trip as the time of the answer.
    package func serverStatus() throws -> ServerStatus {
        let before = localTime
        let request: JSONValue? =
            isOfFourth ? ["applicationKey": .string(configuration.applicationKey)] : nil
        let response = try call(root + "status", request)
        let middle = before + (localTime - before) / 2
        guard let object = response["responseObject"] else {
            throw DeviceError("the answer has no “responseObject”")
        }
        let time = try object.number("serverTime")
        clockOffset = time - middle
        return ServerStatus(
            serverTime: time, applicationName: object["application"]?["name"]?.string,
            applicationVersion: object["application"]?["version"]?.string,
            supportedAlgorithms: object["supportedAlgorithms"]?.strings)
    }
}
