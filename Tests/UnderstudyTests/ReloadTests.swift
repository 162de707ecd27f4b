import Essentials
import HTTP
import Platforms
import SQLite
import TestKit
import Testing

@testable import PlatformKit
@testable import Understudy

/// Whatever a world was asked, it can be put back or filled anew: nothing of what is gone stays behind, and every route goes on.
@Suite struct ReloadTests {
    enum Storage: CaseIterable { case memory, file }
    enum Reload: CaseIterable { case reset, fixtures }

    struct Case: CustomTestStringConvertible {
        let platform: any Platform.Type
        let storage: Storage
        let reload: Reload

        var testDescription: String { "\(platform.name), \(reload) of a world in \(storage)" }

        static let all = Platforms.all.flatMap { platform in
            Storage.allCases.flatMap { storage in
                Reload.allCases.map { Case(platform: platform, storage: storage, reload: $0) }
            }
        }
    }

    private static let rounds = 20

    @Test(arguments: Case.all)
    func `every route answers the same after each of twenty reloads`(_ one: Case) throws {
        try withFolder { folder in
            let house = try House(dataFolder: one.storage == .file ? folder : nil)
            let requests = RouteRequests.all(of: one.platform)
            #expect(!requests.isEmpty)
            let before = requests.map { house.status(of: $0) }

            for _ in 1...Self.rounds {
                try reload(house, one.reload)
                let after = requests.map { house.status(of: $0) }
                for (request, statuses) in zip(requests, zip(before, after)) {
                    #expect(statuses.0 == statuses.1, "\(request)")
                }
            }
            #expect(house.reports.lines == [])
        }
    }

    private func reload(_ house: House, _ way: Reload) throws {
        switch way {
        case .reset: try house.worlds.reset(Worlds.defaultName)
        case .fixtures:
            let world = try #require(try house.worlds.world(Worlds.defaultName))
            try house.worlds.load(FixtureFiles.builtIn(), into: world)
        }
    }
}
