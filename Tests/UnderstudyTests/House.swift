import Essentials
import HTTP
import Platforms
import TestKit

@testable import PlatformKit
@testable import Understudy

/// All platforms with the built-in cast, behind the dispatcher and without a socket.
struct House {
    let worlds: Worlds
    let reports = Reports()
    let dispatcher: Dispatcher

    init(dataFolder: String? = nil) throws {
        var settings = Worlds.Settings(builtInFixtures: try FixtureFiles.builtIn())
        settings.seed = 1
        settings.dataFolder = dataFolder
        worlds = try Worlds(
            sections: Platforms.sections, fixtures: FixtureFiles.builtIn(), settings: settings)
        var rules = Dispatcher.Settings()
        rules.report = { [reports] in reports.add($0) }
        dispatcher = Dispatcher(worlds: worlds, platforms: Platforms.all, settings: rules)
    }

    func status(of request: RouteRequests.Line) -> Int { dispatcher.respond(to: request.request).status.code }
}
