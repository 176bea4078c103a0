import CommandLineInterface

Program.main()
