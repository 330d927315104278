"""Does every device give the same numbers?"""
