import TestKit
import Testing

@testable import MIRACL

@Suite struct ConformanceTests {
    @Test func `the platform does what every platform must, with nothing in it`() throws {
        try checkConformance(of: MIRACL.self)
    }

    @Test func `the platform does what every platform must, with a project`() throws {
        try checkConformance(of: MIRACL.self, fixtures: TestProject.fixtures())
    }
}
